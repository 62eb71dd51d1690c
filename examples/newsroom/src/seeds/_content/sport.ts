import type { Story } from "./story.ts"

export const SPORT: readonly Story[] = [
  {
    slug: "quiet-record",
    kind: "report",
    author: "jonas",
    tags: ["portrait", "rivers"],
    stage: "published",
    hoursAgo: 5,
    cover: { palette: "dawn", alt: "A river at dawn between dark hills" },
    related: ["old-bridge", "seven-rivers", "first-snow"],
    en: {
      title: "A quiet record",
      summary:
        "At six in the morning, with two people on the bank, Hana Valova rowed the river course faster than anyone.",
      paragraphs: [
        "There was no starter and no crowd. Hana Valova pushed off from the ferry steps a little before six, because the wind on the river sleeps until seven. Her coach stood on the bank with a stopwatch, and a man with a dog stopped to see what they were waiting for.",
        "Seven kilometres later she had taken eleven seconds off a record that is older than she is. “I did not know until I saw him running,” she says. “He is sixty-four. He does not run.” The time, 26 minutes and 9 seconds, counts: two referees of the association had come by bicycle, as the rules ask, and had hidden behind the willows so as not to make her nervous.",
        "Valova works as a surveyor, and measures embankments for the water authority. She knows where the current helps and where it takes back what it gave. “Everybody looks at the boat,” she says. “I look at the reeds. They tell you what the water does half a metre down.”",
        "In spring she wants to row the same course upstream, which nobody has timed yet. Until then she trains before work, in the dark, with a lamp on her cap. On still mornings, people who cross the old bridge say, one can hear the oars before one sees the light.",
      ],
    },
    sk: {
      title: "Tichý rekord",
      summary:
        "O šiestej ráno, pred dvoma divákmi na brehu, preveslovala Hana Valová riečnu trať rýchlejšie než ktokoľvek pred ňou.",
      paragraphs: [
        "Nebol štartér ani publikum. Hana Valová sa odrazila od schodov kompy krátko pred šiestou, lebo vietor na rieke spí do siedmej. Na brehu stál jej tréner so stopkami a muž so psom sa zastavil pozrieť, na čo čakajú.",
        "O sedem kilometrov neskôr ubrala jedenásť sekúnd z rekordu, ktorý je starší ako ona. „Nevedela som to, kým som ho neuvidela bežať,“ hovorí. „Má šesťdesiatštyri rokov. On nebeháva.“ Čas 26 minút a 9 sekúnd platí: dvaja rozhodcovia zväzu prišli na bicykloch, ako žiadajú pravidlá, a ukryli sa za vŕbami, aby ju neznervóznili.",
        "Valová pracuje ako geodetka a meria hrádze. Vie, kde prúd pomáha a kde si berie späť, čo dal. „Všetci sa pozerajú na loď,“ hovorí. „Ja sa pozerám na trstinu.“ Na jar chce tú istú trať preveslovať proti prúdu, čo zatiaľ nikto nemeral.",
      ],
    },
  },
  {
    slug: "first-snow",
    kind: "news",
    author: "eva",
    tags: ["winter"],
    stage: "published",
    hoursAgo: 29,
    cover: { palette: "snow", alt: "Snow on hills under a pale sun" },
    en: {
      title: "The first snow closes the upper course",
      summary:
        "Thirty centimetres in one night: the cross-country trails open three weeks early, the summer paths close.",
      paragraphs: [
        "The mountain service closed the paths above the tree line on Tuesday evening. By Wednesday morning there were thirty centimetres of snow at the upper hut, three weeks earlier than last year, and the first skiers were waiting at the gate.",
        "“We had the groomer in pieces on the workshop floor,” says the head of the service, Marek Dolny. His team put it together during the night, with one screw left over that nobody can place. The lower ten kilometres of the trail are prepared; the upper loop follows as soon as the rangers have checked the slopes.",
        "Walkers are asked to stay on the forest road. The bus to the upper station runs every forty minutes, with room for skis, and turns around at the sawmill if the road is icy.",
      ],
    },
    sk: {
      title: "Prvý sneh zatvoril hornú trať",
      summary:
        "Tridsať centimetrov za jednu noc: bežecké stopy otvárajú o tri týždne skôr, letné chodníky sa zatvárajú.",
      paragraphs: [
        "Horská služba v utorok večer uzavrela chodníky nad hranicou lesa. V stredu ráno ležalo pri hornej chate tridsať centimetrov snehu, o tri týždne skôr než vlani, a pred závorou už čakali prví bežkári.",
        "„Ratrak sme mali rozobratý na dlážke dielne,“ hovorí vedúci služby Marek Dolný. Jeho ľudia ho v noci zložili a zvýšila im jedna skrutka, ktorú nikto nevie zaradiť. Spodných desať kilometrov je upravených, horný okruh pribudne, len čo strážcovia skontrolujú svahy.",
        "Chodcov služba žiada, aby ostali na lesnej ceste. Autobus k hornej stanici jazdí každých štyridsať minút a má miesto na lyže.",
      ],
    },
  },
  {
    slug: "new-boathouse",
    kind: "news",
    author: "eva",
    tags: ["numbers", "rivers"],
    stage: "review",
    cover: { palette: "harbour", alt: "Evening light over the harbour" },
    en: {
      title: "Who pays for the new boathouse",
      summary: "The club has half of the money, the town has a plan, and the river has its own idea of where to build.",
      paragraphs: [
        "The rowing club needs a new boathouse: the old one stands so low that the boats were carried out four times last year. The building would cost 1.2 million, half of which the club has saved over fourteen years.",
        "The town offers a plot forty metres further up, on the site of the former customs house. The water authority objects, because the bank there is part of the flood plan. A decision is expected before the end of the month.",
        "Members have begun to sell the old lockers, with their names still scratched into the doors. The first twenty were gone within an hour.",
      ],
    },
  },
  {
    slug: "eleven-players-one-bus",
    kind: "report",
    author: "jonas",
    tags: ["long read"],
    stage: "draft",
    en: {
      title: "Eleven players and one bus",
      summary: "A season in the lowest league, seen from the third row on the left.",
      paragraphs: [
        "The bus leaves at seven, whoever is on it. That is the only rule of the club, and the reason why it has twice played with nine men.",
        "To do: talk to the driver, who has been to more matches than anyone. Ask for the photograph of the flooded pitch. Find out who pays for the oranges.",
        "The third row on the left belongs to the goalkeeper. He sleeps on the way there and talks on the way back, whatever the result.",
      ],
    },
  },
]
