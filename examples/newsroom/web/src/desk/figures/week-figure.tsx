import { useDeskWords } from "../words.ts"
import { Figure } from "./figure.tsx"
import { useWeeks } from "./use-figures.ts"
import { WeekBars } from "./week-bars.tsx"
import { useWeekNames } from "./weeks.ts"

/** The articles per week and team. */
export function WeekFigure({ onRetry }: { onRetry(): void }) {
  const words = useDeskWords().figures
  const weekName = useWeekNames()
  const { data, ...state } = useWeeks()
  return (
    <Figure
      {...state}
      title={words.perWeek}
      isEmpty={data?.weeks.every(({ total }) => total === 0) ?? false}
      onRetry={onRetry}
      drawing={data && <WeekBars {...data} />}
      table={
        <table>
          <caption className="unseen">{words.perWeek}</caption>
          <thead>
            <tr>
              <th scope="col">{words.week}</th>
              {data?.teams.map((team) => (
                <th key={team} scope="col">
                  {team}
                </th>
              ))}
              <th scope="col">{words.total}</th>
            </tr>
          </thead>
          <tbody>
            {data?.weeks.map(({ monday, counts, total }) => (
              <tr key={monday}>
                <th scope="row">{weekName(monday)}</th>
                {data.teams.map((team, index) => (
                  <td key={team}>{counts[index]}</td>
                ))}
                <td>{total}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  )
}
