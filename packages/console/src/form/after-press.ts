let isPressed = false
let waiting: (() => void)[] = []

addEventListener("pointerdown", () => void (isPressed = true), true)
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, true)

/**
 * Runs now, or when the pointer that is pressed has been released. Whoever leaves a field by pressing a button would
 * otherwise miss it, because a problem that appears below the field moves the button away.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run)
  else run()
}

function release(): void {
  isPressed = false
  const ready = waiting
  waiting = []
  // The button hears of the release first.
  setTimeout(() => {
    for (const run of ready) run()
  })
}
