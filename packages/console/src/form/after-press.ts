let isPressed = false
let waiting: (() => void)[] = []

/**
 * Does something after the press that is under way, or immediately if there is none. What a field shows when it is left
 * moves what stands below it: a button would go away from under the pointer that presses it.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}

function press(): void {
  isPressed = true
}

// The click comes after the release of the pointer.
function release(): void {
  isPressed = false
  const works = waiting
  waiting = []
  setTimeout(() => {
    for (const work of works) work()
  })
}

window.addEventListener("pointerdown", press, true)
for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, release, true)
