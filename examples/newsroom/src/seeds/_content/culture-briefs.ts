import { type Brief, briefsBy } from "./briefs.ts"

export const CULTURE_BRIEFS: readonly Brief[] = [
  ...briefsBy("lucia", "news", {
    "The puppet theatre finds its dragon":
      "It had been packed as a sofa when the stage was moved. The première of the fairy tale is on Sunday, with the old dragon and a new tail.",
    "Sheet music from the attic":
      "Under the roof of the music school lay four waltzes by a teacher whom nobody remembers. The orchestra plays them in the spring concert.",
    "Free entrance on the first Sunday":
      "The gallery repeats its experiment of last year, when the queue reached the tram stop. This time there is a second cloakroom.",
    "A mural may stay":
      "The owner of the house wanted it white, the street wanted it blue. The council found that the heron is part of the façade.",
    "The choir looks for low voices":
      "Nineteen sopranos, eleven altos, and a bass who is also the driver of the bus. Rehearsals are on Tuesdays.",
    "Cinema repairs its projector":
      "The lens is from a shipyard, the belt from a washing machine. The picture, says the operator, has never been so still.",
    "Poems on the number four":
      "For a month, the tram announces its stops in verse. Two of the passengers have complained, in verse.",
    "Bookshop on the square changes hands":
      "After thirty-one years Marta Lehotska passes the key to her apprentice. The cat is part of the contract.",
  }),
  ...briefsBy("ivan", "report", {
    "The last letter setter":
      "He reads from right to left faster than most people read at all. On Thursdays he shows children how to spell their names in lead.",
    "A piano on the third floor":
      "It came in by the window in 1931, and must leave by the window now. Four men, two ropes, and a street that holds its breath.",
    "What the prompter hears":
      "She has not missed a line in twenty seasons, and has never said one aloud that was needed. An afternoon under the stage.",
    "The museum counts its keys":
      "There are two hundred and six keys and a hundred and ninety doors. A volunteer tries them one by one, and writes down what she finds behind.",
  }),
  ...briefsBy("eva", "opinion", {
    "Close the museum on Mondays, open it in the evening":
      "Those who work cannot come when the guards do. Two evenings a week would cost less than the poster that asks why nobody comes.",
    "In praise of the short play":
      "Fifty minutes, no interval, and everybody home before the last tram. The old comedies knew it.",
  }),
  ...briefsBy("ivan", "news", {
    "A festival of unfinished films":
      "The directors sit beside the screen and tell what is missing. Eleven hours, nine endings.",
    "Archive puts its posters online":
      "Six thousand sheets since 1894, half of them for plays of which nothing else is left. The scans are free to use.",
    "Organ restored, pipe by pipe":
      "The largest one had been a flower pot in the parsonage. It has its dent, and its note, again.",
    "The library lends umbrellas":
      "A card is enough, and the loan ends with the rain. Forty are blue, and one, by mistake, is a parasol.",
    "Street musicians get a timetable":
      "Nobody plays before ten, and nobody plays the same square for longer than an hour. The accordionists proposed it themselves.",
    "A stage for the courtyard":
      "It is built of pallets and a barn door, and holds eleven actors or one grand piano. The neighbours vote which.",
  }),
]
