import { mayLeave } from "../form/leaving.ts"
import { usePerson } from "../kit/person.ts"
import { forgetRecent } from "../kit/recent-records.ts"
import { useSignOut } from "../kit/sign-out.ts"
import { toast } from "../parts/toast.tsx"
import { problemText } from "../screens/entrance/problem-text.ts"
import { useEntranceWords } from "../words/entrance-words.ts"

/** Returns a function that signs the person out. It asks if something is unsaved, and says if the app cannot be reached. */
export function useSignOutHere(): () => Promise<void> {
  const { problems } = useEntranceWords()
  const signOut = useSignOut()
  const { id: person } = usePerson()
  return async () => {
    if (!(await mayLeave())) return
    try {
      await signOut()
      forgetRecent(person)
    } catch (error) {
      toast({ text: problemText(error, problems) })
    }
  }
}
