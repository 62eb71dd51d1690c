import type { Story } from "./story.ts"

export const SCIENCE: readonly Story[] = [
  {
    slug: "seven-rivers",
    kind: "report",
    author: "mina",
    tags: ["long read", "rivers", "numbers"],
    stage: "published",
    hoursAgo: 2,
    isLead: true,
    cover: { palette: "river", alt: "A wide river winding between green hills" },
    related: ["old-bridge", "harbour-in-numbers", "what-the-lake-remembers", "quiet-record"],
    en: {
      title: "Seven rivers",
      summary:
        "Under the valley lie six older courses of the same river. A new map shows where it has been, and where it may go.",
      paragraphs: [
        "From the air the valley has one river. From below it has seven. For two years a group of geologists has driven a small cart with a radar across meadows, car parks and one football pitch, and has drawn what lies under them: six beds in which the river used to run, each crossing the others like threads of a rope.",
        "“A river does not move slowly,” says Dr. Alena Mraz, who leads the project. “It waits for four hundred years, and then it moves in an afternoon.” The youngest of the old beds is from 1783. A priest noted in the register of his parish that the water had changed sides during lunch, and that the mill now stood in the wrong county.",
        "The map is more than a curiosity. Wherever an old bed lies close under the surface, water comes up first in a flood. The group compared its lines with the cellars that were pumped out three years ago: nine of ten stand on one of them. The town wants to use the map for its building plan, and insurers have asked for a copy. They did not get one before the residents did.",
        "The seventh line on the map is dashed. It is the course that the river would take today if nobody held it: from the weir past the school, through the allotments, and back at the harbour. Nobody expects it to. But the gardeners have hung the map in their hall, and have begun to plant willows along the dashes.",
      ],
    },
    sk: {
      title: "Sedem riek",
      summary:
        "Pod údolím leží šesť starších korýt tej istej rieky. Nová mapa ukazuje, kadiaľ tiekla a kadiaľ by mohla tiecť.",
      paragraphs: [
        "Zo vzduchu má údolie jednu rieku. Zospodu ich má sedem. Dva roky jazdila skupina geológov s malým vozíkom a radarom po lúkach, parkoviskách a jednom futbalovom ihrisku a kreslila, čo je pod nimi: šesť korýt, ktorými rieka kedysi tiekla a ktoré sa križujú ako pramene lana.",
        "„Rieka sa nepresúva pomaly,“ hovorí vedúca projektu Dr. Alena Mrázová. „Štyristo rokov čaká a potom sa presunie za jedno popoludnie.“ Najmladšie zo starých korýt je z roku 1783. Farár si vtedy zapísal, že voda počas obeda zmenila stranu a mlyn odvtedy stojí v nesprávnej stolici.",
        "Mapa nie je len zaujímavosť. Kde leží staré koryto plytko pod povrchom, tam pri povodni vystúpi voda najskôr. Deväť z desiatich pivníc, ktoré pred tromi rokmi čerpali, stojí na niektorej z čiar. Siedma čiara na mape je prerušovaná: je to cesta, ktorou by rieka tiekla dnes, keby ju nikto nedržal. Záhradkári si mapu zavesili a začali pozdĺž nej sadiť vŕby.",
      ],
    },
  },
  {
    slug: "harbour-in-numbers",
    kind: "news",
    author: "peter",
    tags: ["numbers", "rivers"],
    stage: "published",
    hoursAgo: 34,
    cover: { palette: "harbour", alt: "Evening light over the harbour" },
    related: ["seven-rivers", "quiet-record"],
    newSummary:
      "Forty sensors, one summer: the water was warmer than ever measured, and the mussels have moved two kilometres upstream.",
    en: {
      title: "The harbour in numbers",
      summary:
        "Forty sensors, one summer: the water was warmer than ever measured, and the mussels are moving upstream.",
      paragraphs: [
        "The harbour basin reached 27.4 degrees on the second of August, the highest value since measurements began in 1961. This is one of the results of a network of forty sensors that pupils of the technical school built and hung into the water in spring.",
        "The sensors report every ten minutes. They cost less than thirty each, and thirty-eight of them survived the summer; one was run over by a ferry, and one was returned by a swan. The data are open, and have been downloaded two thousand times.",
        "Biologists were surprised most by the mussels. They have moved almost two kilometres upstream, into water that used to be too cold for them. “They are the better thermometer,” says Peter Sykora of the institute. “They never need a battery.”",
      ],
    },
    sk: {
      title: "Prístav v číslach",
      summary:
        "Štyridsať snímačov, jedno leto: voda bola teplejšia než kedykoľvek predtým a lastúrniky sa sťahujú proti prúdu.",
      paragraphs: [
        "Prístavná nádrž dosiahla druhého augusta 27,4 stupňa, najviac od začiatku meraní v roku 1961. Je to jeden z výsledkov siete štyridsiatich snímačov, ktoré na jar postavili žiaci priemyslovky.",
        "Snímače hlásia teplotu každých desať minút. Leto ich prežilo tridsaťosem; jeden prešla kompa a jeden vrátila labuť. Údaje sú otvorené.",
        "Biológov najviac prekvapili lastúrniky. Posunuli sa takmer dva kilometre proti prúdu, do vody, ktorá im bývala pristudená. „Sú lepší teplomer,“ hovorí Peter Sýkora z ústavu. „Nikdy nepotrebujú batériu.“",
      ],
    },
  },
  {
    slug: "what-the-lake-remembers",
    kind: "report",
    author: "mina",
    tags: ["archive", "long read"],
    stage: "review",
    cover: { palette: "lake", alt: "A still lake under a high sun" },
    en: {
      title: "What the lake remembers",
      summary:
        "Nine metres of mud, nine thousand summers: in a cold store at the edge of town, researchers read the lake like a book.",
      paragraphs: [
        "The mud comes in tubes, and the tubes lie in a cold store between two pallets of ice cream, because the institute has no cooling of its own. Nine metres were drilled out of the lake bed last winter. Every millimetre is about a year.",
        "Dark lines are floods, pale ones are droughts. A thin grey layer at three metres is ash from a volcano two thousand kilometres away. And just below the surface there is a line that has a smell: the year in which the paper mill opened.",
        "What the group is looking for is the pollen of lime trees. If they find it in the seventh metre, the valley was warmer than anybody assumed. The first samples are back from the laboratory next week.",
      ],
    },
    sk: {
      title: "Čo si jazero pamätá",
      summary: "Deväť metrov bahna, deväťtisíc liet: v chladiarni na okraji mesta čítajú vedci jazero ako knihu.",
      paragraphs: [
        "Bahno prichádza v rúrach a rúry ležia v chladiarni medzi dvoma paletami zmrzliny, lebo ústav vlastné chladenie nemá. Vlani v zime vyvŕtali z dna jazera deväť metrov. Každý milimeter je asi jeden rok.",
        "Tmavé čiary sú povodne, bledé suchá. Tenká sivá vrstva v troch metroch je popol zo sopky vzdialenej dvetisíc kilometrov.",
      ],
    },
  },
  {
    slug: "counting-swifts",
    kind: "opinion",
    author: "peter",
    tags: ["numbers"],
    stage: "draft",
    en: {
      title: "Why we still count swifts by hand",
      summary: "A camera sees more birds in an hour than I do in a summer. It does not notice when one is missing.",
      paragraphs: [
        "Every evening in June some sixty people in this town stand at their windows and count swifts. There are programs that do it better. I have written one of them.",
        "A camera counts what is there. People who have stood at the same window for ten years count what is not there any more, and they ring each other up about it.",
        "Still missing: the numbers of the last three years, and the quotation from the woman at the brewery.",
      ],
    },
  },
]
