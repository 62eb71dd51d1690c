import type { Words } from "../words.ts"

export const values: Words["values"] = {
  empty: (label) => `Vyprázdniť: ${label}`,
  add: "Pridať",
  addTo: (label) => `Pridať do: ${label}`,
  pasteBlock: "Prilepiť",
  closeNote: "Zavrieť",
  unknownBlock: "už nie je v aplikácii",
  unknownBlockHint:
    "Aplikácia už tento druh bloku nemá. Ostáva tak, ako je uložený. Keď sa tento zoznam zmení, server požiada o jeho odstránenie.",
  paste: {
    foreign: "V schránke nie sú bloky. Najprv skopírujte blok tu alebo v inom zázname, alebo na bloku stlačte ⌘V.",
    unknownTypes: (types) => `Tento zoznam nemá: ${types}.`,
    lostMembers: (names) => `Vynechané, lebo to tunajšie bloky nemajú: ${names}.`,
    tooMany: (count) => `Pre ďalšie (${count}) nie je miesto.`,
  },
  removed: "Odstránené.",
  undo: "Späť",
  noText: "zatiaľ bez textu",
  problems: (count) => (count === 1 ? "1 problém" : count < 5 ? `${count} problémy` : `${count} problémov`),
  place: (place, count) => `Presunuté na miesto ${place} z ${count}.`,
  atLeast: (count, least) => `${count} z najmenej ${least}`,
  ofAtMost: (count, most) => `${count} z najviac ${most}`,
  itemActions: (place) => `Akcie položky ${place}`,
  removeItem: (name) => `Odstrániť ${name}`,
  actions: {
    up: "Posunúť vyššie",
    down: "Posunúť nižšie",
    duplicate: "Duplikovať",
    copy: "Kopírovať",
    remove: "Odstrániť",
  },
}
