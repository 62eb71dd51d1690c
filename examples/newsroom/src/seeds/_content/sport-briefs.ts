import { type Brief, briefsBy } from "./briefs.ts"

export const SPORT_BRIEFS: readonly Brief[] = [
  ...briefsBy("jonas", "news", {
    "Handball: a draw that feels like a win":
      "Two goals behind with ninety seconds to go, the town team equalised with the last throw. The goalkeeper had run forward, because nobody else was free.",
    "The ice rink opens on Friday":
      "The compressor passed its test on the second attempt. Skates can be borrowed again, except in size 38, of which the rink owns one pair and a single left boot.",
    "Marathon: the course is longer by a bridge":
      "Because of roadworks at the customs house, runners will cross the canal twice. The distance stays the same: the loop through the park is dropped.",
    "Under-twelves win the hall tournament":
      "Nine teams, one ball that was too soft, and a final that took three rounds of penalties. The cup is at the bakery, where the captain's mother works.",
    "A chess club without a table":
      "The club meets on the steps of the market hall until its room is painted. Boards are held on knees, and the clocks on a pram.",
    "Table tennis: promotion after eleven years":
      "The last match was decided when both doubles had already gone home for the bus. The telephone rang at the stop.",
    "Fishing season ends early":
      "The association closed the ponds two weeks before the date, because the water is too warm. Members get a part of their fee back in spring.",
    "The swimming pool counts its lanes":
      "From Monday there are six instead of five. The new one is narrower than the others, and is meant for those who swim on their backs.",
    "A cyclist finishes last, and is cheered":
      "After a puncture and a wrong turn, Emil Sova reached the finish in the dark. The time keepers had waited with a torch and a thermos.",
    "Volleyball: a season with two coaches":
      "They could not agree who should go, so both stayed. One speaks before the first set, the other one after it.",
    "Rain stops the relay twice":
      "The schools ran it on the third day, with towels in place of batons: the batons were still drying.",
    "Gymnastics hall gets its mirrors back":
      "They had hung in the town hall since the flood. Two officials are said to miss them.",
    "A goal after four seconds":
      "Straight from the kick-off, against the wind. The referee asked the timekeeper, and the timekeeper asked a boy with a telephone.",
    "Orienteering: one control was in a nest":
      "Birds had found it first. The jury accepted a photograph in its place, and the control stays where it is until autumn.",
    "The tennis courts are swept again":
      "Forty volunteers, nine brooms and one very old roller: the four courts behind the mill can be booked from Saturday.",
  }),
  ...briefsBy("eva", "report", {
    "The woman who marks the lines":
      "Before every match Olga Petran walks eleven hundred metres with a bucket of lime. She has never seen a whole game, but she can tell by the grass who has won.",
    "A morning with the lifeguards":
      "Nothing happens for six hours, which is the best that can be said of the job. Then a child loses a shoe, and three of them are in the water.",
    "Where old trophies go":
      "In a cellar behind the stadium stand four hundred cups. The caretaker polishes one a day, and knows the stories of about half of them.",
    "The referee's other whistle":
      "On weekdays he drives a locomotive. The two whistles have the same pitch, and players of his own railway club stop at both.",
    "Learning to fall":
      "The judo school takes beginners of seventy and older. In the first month they learn nothing but falling, and most of them stay for that.",
  }),
  ...briefsBy("jonas", "opinion", {
    "Let the amateurs play in the evening":
      "The stadium is lit until ten for nobody. The leagues without money would fill it every day of the week, and would sweep up afterwards.",
    "Against the mascot":
      "A town that has lived from salmon for four centuries does not need a plush bear. It needs a coach for the goalkeepers.",
    "Give the bronze to both":
      "Where two are equally fast, a coin should not decide. Coins have decided enough in this association.",
  }),
  ...briefsBy("eva", "news", {
    "New boats for the school":
      "The rowing school has bought four used boats from the capital. They are named after the teachers who had paid for the first ones.",
    "Ticket prices stay":
      "The board of the football club voted eleven to two. A seat in the sun costs five, one in the shade six.",
    "The hill race has a new favourite":
      "Nela Hruba won the test run by half a minute, in borrowed shoes. The real race is in three weeks, and she has ordered her own.",
    "Stadium clock runs backwards":
      "After the power cut it counted from ninety to zero. The second half was played by the watch of the linesman.",
    "A record crowd for the reserve team":
      "Eight hundred and twelve people came, because it had been announced that entrance was free. It had not.",
  }),
]
