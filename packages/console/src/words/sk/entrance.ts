import type { EntranceWords } from "../entrance-words.ts"

export const entrance: EntranceWords = {
  signIn: "Prihlásiť sa",
  email: "E-mail",
  password: "Heslo",
  name: "Meno",
  or: "alebo",
  continueWith: (provider) => `Pokračovať cez ${provider}`,
  forgot: "Zabudli ste heslo?",
  backToSignIn: "Späť na prihlásenie",

  reset: "Nové heslo",
  resetHint: "Zadajte adresu svojho účtu. Ak k nej účet patrí, pošleme na ňu odkaz.",
  sendLink: "Poslať odkaz",
  linkSent: "Pozrite si poštu",
  linkSentHint: (email) =>
    `Ak k adrese ${email} patrí účet, poslali sme na ňu správu s odkazom na stránku, kde si nastavíte nové heslo.`,
  newPassword: "Nové heslo",
  passwordHint: "Aspoň 8 znakov.",
  setPassword: "Nastaviť heslo",
  passwordSet: "Nové heslo je nastavené",
  passwordSetHint: "Všade sme vás odhlásili. Prihláste sa novým heslom.",
  linkEnded: "Tento odkaz už neplatí",
  linkEndedHint: "Dá sa použiť raz a iba určitý čas. Požiadajte o nový.",
  requestAnother: "Požiadať o nový odkaz",

  setUp: "Prvý účet",
  setUpHint: "Smie v tejto aplikácii všetko a vytvára účty ostatným.",
  createAccount: "Vytvoriť účet",
  setUpOnce: "Odkaz, ktorý sem viedol, sa dá použiť raz.",
  setUpElsewhere: "Už len krok",
  setUpElsewhereHint:
    "Táto aplikácia ešte nemá správcu. Prvý sa vytvorí odkazom, ktorý ukáže iba počítač, na ktorom aplikácia beží. Nájdite na ňom riadok, ktorý sa začína slovami „Finish the set-up“:",
  lookAgain: "Pozrieť znova",
  haveAccount: "Prihlásiť sa iným účtom",
  signInElsewhere: (app) =>
    `${app} prihlasuje ľudí vlastným spôsobom. Prihláste sa tam a načítajte túto stránku znova.`,
  loadAgain: "Načítať znova",
  setUpClosed: "Nastavenie je hotové: aplikácia už má správcu. Prihláste sa svojím účtom.",
  setUpWrongToken:
    "Tento odkaz nie je ten, ktorý aplikácia teraz ukazuje. Pozrite sa znova na počítač, na ktorom beží.",

  keptOut: "Nie pre tento účet",
  keptOutHint: (app) => `Ste prihlásení, ale ${app} tomuto účtu nedovoľuje otvoriť konzolu. Obráťte sa na správcu.`,
  signedInAs: "Prihlásený účet",
  signOut: "Odhlásiť sa",
  tryAgain: "Skúsiť znova",

  sessionEnded: "Ak chcete pokračovať, prihláste sa znova",
  sessionEndedHint: "Čo ste napísali, zostalo tu.",
  signInNewTab: "Prihlásiť sa inou službou na novej karte",

  unreachable: "Aplikácia je nedostupná",
  unreachableHint: "Skontrolujte pripojenie. Táto stránka to skúša sama znova.",
  indexFailed: "Aplikáciu sa nepodarilo otvoriť",

  problems: {
    wrongCredentials: "Adresa alebo heslo nie je správne.",
    invalidEmail: "Toto nie je e-mailová adresa.",
    banned: "Tento účet je zablokovaný. Obráťte sa na správcu.",
    notVerified: "Táto adresa ešte nie je potvrdená. Nájdite si v pošte odkaz.",
    passwordLength: "Heslo musí mať od 8 do 128 znakov.",
    wrongPassword: "Toto nie je vaše súčasné heslo.",
    emailTaken: "Túto adresu už má iný účet.",
    tooMany: (wait) => `Priveľa pokusov. Skúste to znova o ${wait}.`,
    busy: "Aplikácia je zaneprázdnená. Skúste to o chvíľu.",
    unreachable: "Aplikácia je nedostupná. Skontrolujte pripojenie a skúste to znova.",
    provider: "Druhá služba vás neprihlásila. Skúste to znova alebo sa prihláste heslom.",
    providerCancelled: "Prihlásenie v druhej službe ste zrušili.",
    providerUnknown: "Aplikácia pre vás nemá účet a nedovoľuje si ho vytvoriť.",
    providerNotLinked: "Účet s vašou adresou už existuje. Prihláste sa tak ako predtým.",
  },
}
