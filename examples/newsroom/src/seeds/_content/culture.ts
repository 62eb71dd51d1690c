import type { Story } from "./story.ts"

export const CULTURE: readonly Story[] = [
  {
    slug: "night-shift",
    kind: "report",
    author: "lucia",
    tags: ["portrait", "long read"],
    stage: "published",
    hoursAgo: 11,
    cover: { palette: "night", alt: "The moon over a sleeping town" },
    related: ["unheated-cinema", "old-bridge"],
    en: {
      title: "The night shift",
      summary:
        "When the audience has left, eleven people take a forest apart and build a kitchen. A night behind the stage.",
      paragraphs: [
        "At a quarter to eleven the applause ends, and the forest has until seven to become a kitchen. Eleven people work the night shift of the municipal theatre. They know the plays by their weight: the comedy is four tons, the tragedy is nine.",
        "Ludmila Hronska has been head of the stage for twenty-two years and has seen, she says, perhaps three performances from the front. “I know how they end. When the third light goes out, I need two men at the ropes.” She carries a notebook in which every set has a page, with small drawings of what goes wrong.",
        "At two in the morning there is soup. It is the one hour when nobody moves anything, and the only time, says the youngest of them, that the house sounds like what it is: wood, rope, and the river under the floor. Then a bell rings, and six of them lift a wall as if it had no weight at all.",
        "By five the kitchen stands. The tap works, because an actor drinks from it in the second act, and the window opens onto a courtyard that is one metre deep. Hronska walks through it once with the lights on and once in the dark. Then she writes the time into the book, switches off the lamp, and goes home against the stream of those who are on their way to work.",
      ],
    },
    sk: {
      title: "Nočná zmena",
      summary: "Keď odíde publikum, jedenásť ľudí rozoberie les a postaví kuchyňu. Noc za javiskom.",
      paragraphs: [
        "O trištvrte na jedenásť stíchne potlesk a les má do siedmej čas stať sa kuchyňou. V nočnej zmene mestského divadla pracuje jedenásť ľudí. Hry poznajú podľa váhy: komédia má štyri tony, tragédia deväť.",
        "Ľudmila Hronská vedie javisko dvadsaťdva rokov a spredu videla, ako hovorí, azda tri predstavenia. „Viem, ako sa končia. Keď zhasne tretie svetlo, potrebujem dvoch chlapov pri lanách.“ Nosí zošit, v ktorom má každá scéna svoju stranu s kresbičkami toho, čo sa zvykne pokaziť.",
        "O druhej nadránom je polievka. Je to jediná hodina, keď nikto nič neprenáša, a jediná, keď dom znie ako to, čím je: drevo, laná a rieka pod podlahou. O piatej kuchyňa stojí. Hronská ňou prejde raz so svetlom a raz potme, zapíše čas a ide domov proti prúdu tých, čo idú do práce.",
      ],
    },
  },
  {
    slug: "old-bridge",
    kind: "news",
    author: "ivan",
    tags: ["archive", "rivers"],
    stage: "published",
    hoursAgo: 52,
    cover: { palette: "dusk", alt: "Hills behind a river at dusk" },
    en: {
      title: "An old bridge gets its voice back",
      summary:
        "For a hundred years the iron bridge hummed in the wind. Then it was repaired. Now engineers are tuning it again.",
      paragraphs: [
        "Older people remember the note: somewhere below the A of a cello, on days with wind from the north. When the railings of the iron bridge were replaced eight years ago, the sound was gone. More than four hundred people signed a letter to the town.",
        "The musician Oto Balaz found a recording in the radio archive, eleven seconds long, in a programme about fishing. Together with a bridge engineer he has made forty steel tongues that fit under the handrail. Each can be turned by hand, like the key of a clock.",
        "On Saturday the first ten were fitted. There was no wind. The crowd waited for an hour and ate what it had brought. Then a lorry passed, and the bridge said something, very low, that made everybody laugh.",
        "The rest will be fitted by the end of the month. Balaz asks neighbours to write down when they hear the note and what it reminds them of. He wants to stop tuning when the answers agree.",
      ],
    },
    sk: {
      title: "Starému mostu vrátia hlas",
      summary: "Sto rokov železný most vo vetre hučal. Potom ho opravili. Teraz ho inžinieri znovu ladia.",
      paragraphs: [
        "Starší ľudia si ten tón pamätajú: kdesi pod violončelovým a, v dňoch so severným vetrom. Keď pred ôsmimi rokmi vymenili zábradlie železného mosta, zvuk zmizol. List mestu podpísalo viac než štyristo ľudí.",
        "Hudobník Oto Baláž našiel v archíve rozhlasu nahrávku dlhú jedenásť sekúnd, v relácii o rybárčení. Spolu s mostárom vyrobil štyridsať oceľových jazýčkov, ktoré sa dajú pod madlom otáčať rukou ako kľúčik na hodinách.",
        "V sobotu namontovali prvých desať. Vietor nefúkal. Ľudia hodinu čakali a jedli, čo si priniesli. Potom prešiel kamión a most povedal čosi veľmi hlboké, na čom sa všetci zasmiali.",
      ],
    },
  },
  {
    slug: "library-of-silence",
    kind: "opinion",
    author: "ivan",
    tags: ["long read"],
    stage: "review",
    publishInDays: 3,
    cover: { palette: "paper", alt: "Warm light over soft hills" },
    en: {
      title: "The library that lends silence",
      summary:
        "Books can be had anywhere. What the reading room lends out is harder to find, and it must not be closed at six.",
      paragraphs: [
        "The council wants to save on light and heating, and to close the reading room of the town library at six. It says that loans have fallen by a third. That is true, and it is the wrong number.",
        "Whoever comes in at half past six on a Tuesday finds forty people who borrow nothing. A nurse learns for an examination. Two brothers play chess without pieces. A man reads the same newspaper twice, slowly, because it is warm. What they borrow is a room in which nobody wants anything from them.",
        "A town can count books. It should also count hours. There is no other house in which one may sit down without paying, and be left alone without being lonely. To keep it open costs as much as eleven street lamps.",
      ],
    },
    sk: {
      title: "Knižnica, ktorá požičiava ticho",
      summary: "Knihy sa dajú zohnať všade. To, čo požičiava čitáreň, sa hľadá ťažšie, a o šiestej sa zatvárať nesmie.",
      paragraphs: [
        "Mesto chce ušetriť na svetle a kúrení a zatvárať čitáreň mestskej knižnice o šiestej. Výpožičky vraj klesli o tretinu. Je to pravda a je to nesprávne číslo.",
        "Kto príde v utorok o pol siedmej, nájde štyridsať ľudí, ktorí si nepožičiavajú nič. Zdravotná sestra sa učí na skúšku. Dvaja bratia hrajú šach bez figúrok. Požičiavajú si miestnosť, v ktorej od nich nikto nič nechce.",
      ],
    },
  },
  {
    slug: "unheated-cinema",
    kind: "report",
    author: "lucia",
    tags: ["winter", "archive"],
    stage: "published",
    hoursAgo: 76,
    cover: { palette: "ember", alt: "A red evening sky over the hills" },
    en: {
      title: "Three films in an unheated cinema",
      summary: "The boiler broke, the festival went on. What two hundred people in blankets saw, and why they stayed.",
      paragraphs: [
        "It was nine degrees in the hall when the first film began, and seven when the third one ended. The boiler of the cinema had given up in the morning. The organisers rented two hundred blankets from the ferry company and asked whoever wanted to leave to take their money back. Six people did.",
        "The programme might have been made for it: a drama on an ice road, a film about beekeepers in winter, and a comedy that plays entirely in a sauna. During the last one somebody in row four began to fan the air with a programme, and the joke went through the hall like a wave.",
        "Afterwards nobody got up at once. “You hear a film differently when you can see your neighbours breathe,” said the projectionist, who had kept the lamps warm with his hands. The repair is planned for Monday. There is already a petition to do it all again next year, without heating, on purpose.",
      ],
    },
    sk: {
      title: "Tri filmy v nevykúrenom kine",
      summary: "Kotol sa pokazil, festival pokračoval. Čo videlo dvesto ľudí v dekách a prečo ostali.",
      paragraphs: [
        "Keď sa začal prvý film, bolo v sále deväť stupňov, na konci tretieho sedem. Kotol kina to ráno vzdal. Organizátori si od prevádzkovateľa kompy požičali dvesto diek a ponúkli, že vrátia vstupné. Prihlásilo sa šesť ľudí.",
        "Program bol ako na mieru: dráma na ľadovej ceste, film o včelároch v zime a komédia, ktorá sa celá odohráva v saune. „Film počujete inak, keď vidíte suseda dýchať,“ povedal premietač. Oprava je naplánovaná na pondelok. Petícia za to, aby sa to o rok zopakovalo bez kúrenia a schválne, už existuje.",
      ],
    },
  },
]
