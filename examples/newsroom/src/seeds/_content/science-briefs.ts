import { type Brief, briefsBy } from "./briefs.ts"

export const SCIENCE_BRIEFS: readonly Brief[] = [
  ...briefsBy("mina", "news", {
    "Bats return to the observatory":
      "Sixty-one were counted under the dome, nine more than before the repair. The telescope is covered until they have left.",
    "A weather station for every school":
      "The institute gives away forty boxes with sensors. The data are open, and the first class has already found a street that is two degrees warmer than the rest.",
    "The oldest oak is younger than thought":
      "A core as thin as a pencil shows two hundred and ninety rings. The sign, which says five hundred, will be replaced.",
    "Beavers build where engineers wanted to":
      "Their dam holds back almost as much water as the planned one. The office is now calculating what it has saved.",
    "Laboratory opens its doors for a day":
      "Visitors may look at their own cells, at moss from the town wall, and at a fish that glows. The queue for the fish was the longest.",
    "Mushroom advice moves to the market":
      "Baskets are inspected on Saturdays from seven to ten. Last year three of them were kept back.",
    "Old maps show lost ponds":
      "Eleven ponds were drained in the last century. Where they lay, cellars are damp to this day, and the maps now tell which.",
  }),
  ...briefsBy("peter", "report", {
    "Counting what nobody sees":
      "Once a month Jana Rusova sieves a litre of soil and counts what moves. Her record is four thousand, from under a bench in the park.",
    "The clock in the basement":
      "The institute's clock loses a second in three hundred years. A visit to the man who checks it every morning nevertheless.",
    "Reading the ice":
      "Cores from the glacier lie in a freezer behind the canteen. Every one of them has a summer that smells of smoke.",
    "How a valley sounds":
      "Twelve microphones listen for a year. So far they have recorded owls, a lost dog, and the same tractor eleven thousand times.",
  }),
  ...briefsBy("mina", "opinion", {
    "Publish the failures, too":
      "An experiment that shows nothing has cost as much as one that shows something. Others repeat it because nobody has told them.",
    "Let the meadow stand":
      "Two cuts a year are enough for the grass and better for everything that lives in it. The mower has other places to be.",
  }),
  ...briefsBy("peter", "news", {
    "Dust from the desert reached the town":
      "The filter on the roof turned yellow on Tuesday. It is harmless, says the institute, but bad for white laundry.",
    "A comet for patient people":
      "It can be seen until Thursday, low in the west, with binoculars and without street lamps. The club meets on the hill.",
    "Students weigh the cathedral":
      "With a pendulum and a long weekend they arrived at thirty-one thousand tons. The builder's books say almost the same.",
    "New sensor hears leaking pipes":
      "It hangs on hydrants and listens when the town is quiet. In its first week it found a leak that had watered a lime tree for years.",
    "Wild bees like the cemetery":
      "Ninety-two kinds live between the graves, more than in the botanical garden. The gardener says that he has always left them alone.",
  }),
]
