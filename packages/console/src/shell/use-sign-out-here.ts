import { mayLeave } from "../form/leaving.ts"
import { usePerson } from "../kit/person.ts"
import { forgetRecent } from "../kit/recent-records.ts"
import { useSignOut } from "../kit/sign-out.ts"
import { hasUnsentTexts } from "../kit/together/shared-texts.ts"
import { confirm } from "../parts/question.ts"
import { toast } from "../parts/toast.tsx"
import { problemText } from "../screens/entrance/problem-text.ts"
import { useEntranceWords } from "../words/entrance-words.ts"
import { useWords, type Words } from "../words/words.ts"

/**
 * Returns a function that signs the person out. It asks if something is unsaved or unsent, because the copies of shared
 * texts are removed from this browser, and says if the app cannot be reached.
 */
export function useSignOutHere(): () => Promise<void> {
  const { problems } = useEntranceWords()
  const signOut = useSignOut()
  const { id: person } = usePerson()
  const words = useWords("shell")
  return async () => {
    if (!(await mayLeave()) || !(await mayForget(words))) return
    try {
      await signOut()
      forgetRecent(person)
    } catch (error) {
      toast({ text: problemText(error, problems) })
    }
  }
}

function mayForget({ unsentTitle, unsentText, signOut }: Words["shell"]): Promise<boolean> {
  if (!hasUnsentTexts()) return Promise.resolve(true)
  return confirm({ title: unsentTitle, text: unsentText, action: signOut, danger: true })
}
