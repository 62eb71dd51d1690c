import { ChevronLeft } from "lucide-react"
import { useEffect, useMemo, useState } from "react"
import { useFieldState, useForm } from "../../../form/form-context.ts"
import { Button } from "../../../parts/button.tsx"
import { confirm } from "../../../parts/dialog.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { Failure, Notice } from "../../../parts/notice.tsx"
import { toast } from "../../../parts/toast.tsx"
import { useWords } from "../../../words/words.ts"
import type { OpenVersion } from "../address-state.ts"
import { Drawer } from "../drawer/drawer.tsx"
import { type History, type ReadVersions, restoreVersion, useVersions } from "./use-versions.ts"
import { currentVersion, differingFields, type Version } from "./version-pages.ts"
import { VersionView } from "./version-view.tsx"
import { VersionsList } from "./versions-list.tsx"

interface VersionsDrawerProps {
  readonly history: History
  readonly opened: Exclude<OpenVersion, null>
  readonly onOpen: (version: OpenVersion) => void
  /** True if the person may bring the record back to a version. */
  readonly mayRestore: boolean
}

/** The history of a record over its form: all versions as a list, or one of them. */
export function VersionsDrawer(props: VersionsDrawerProps) {
  const { history, opened, onOpen } = props
  const words = useWords("versions")
  const { store } = useForm()
  const changedAt = useFieldState(null, () => stateOf(store.baseline))
  const read = useVersions(history, changedAt)
  const version = useVersion(read, opened)
  return (
    <Drawer
      title={opened === "all" ? words.versions : words.version(opened)}
      onClose={() => onOpen(null)}
      actions={
        opened !== "all" && (
          <Button look="quiet" onPress={() => onOpen("all")}>
            <Icon of={ChevronLeft} />
            {words.all}
          </Button>
        )
      }
    >
      {version ? (
        <OneVersion key={version.number} {...props} read={read} version={version} />
      ) : (
        <Content {...props} read={read} />
      )}
    </Drawer>
  )
}

// Every write of the record changes one of them.
function stateOf(values: Readonly<Record<string, unknown>>): string {
  const { revision, updatedAt, stage, deletedAt } = values
  return [revision, updatedAt instanceof Date ? updatedAt.getTime() : updatedAt, stage, deletedAt].join("/")
}

/** Returns the opened version, and reads further pages until it is found. */
function useVersion({ pages, error, readMore }: ReadVersions, opened: Exclude<OpenVersion, null>): Version | undefined {
  const version = pages?.versions.find(({ number }) => number === opened)
  const isBehind =
    opened !== "all" && version === undefined && pages?.hasMore && (lastNumber(pages.versions) ?? 0) > opened
  useEffect(() => {
    if (isBehind && !error) readMore()
  }, [isBehind, error, readMore])
  return version
}

function lastNumber(versions: readonly Version[]): number | undefined {
  return versions.at(-1)?.number
}

interface ContentProps extends VersionsDrawerProps {
  readonly read: ReadVersions
}

function Content({ opened, onOpen, read }: ContentProps) {
  const words = useWords("versions")
  const { resource } = useForm()
  const { pages, error } = read
  if (error) return <Failure title={words.failed} error={error} onRetry={read.retry} />
  if (pages === undefined) return <p className="drawer-line quiet-line" aria-busy="true" />
  if (pages.versions.length === 0) {
    return (
      <Notice title={words.none}>
        <p>{words.noneHint}</p>
      </Notice>
    )
  }
  if (opened !== "all") {
    return pages.hasMore && (lastNumber(pages.versions) ?? 0) > opened ? (
      <p className="drawer-line quiet-line" aria-busy="true" />
    ) : (
      <Notice title={words.missing(opened)}>
        <Button onPress={() => onOpen("all")}>{words.all}</Button>
      </Notice>
    )
  }
  const { workflow } = resource.options
  const stageLabel = (name: string) =>
    (workflow.enabled && workflow.stages.find((stage) => stage.name === name)?.label) || name
  return <VersionsList pages={pages} stageLabel={stageLabel} onOpen={onOpen} onMore={read.readMore} />
}

interface OneVersionProps extends ContentProps {
  readonly version: Version
}

function OneVersion({ history, onOpen, mayRestore, read, version }: OneVersionProps) {
  const words = useWords("versions")
  const { store, resource } = useForm()
  const [error, setError] = useState<Error>()
  const { baseline } = store
  const differing = useMemo(
    () => differingFields(resource.fields, { version: version.values, now: baseline }),
    [resource, version, baseline],
  )
  const isCurrent = read.pages !== undefined && currentVersion(read.pages) === version
  const restore = async () => {
    const isUnsaved = store.editCount() > 0
    const text = isUnsaved ? `${words.restoreUnsaved} ${words.restoreText}` : words.restoreText
    const title = words.restoreTitle(version.number)
    if (!(await confirm({ title, text, action: words.restore, danger: isUnsaved }))) return
    try {
      const revision = baseline["revision"]
      const expectedRevision = typeof revision === "number" ? revision : undefined
      const restored = await restoreVersion(history, { version: version.number, expectedRevision })
      store.discard()
      if (Object.keys(restored).length > 1) store.follow({ ...store.baseline, ...restored })
      toast({ text: words.restored(version.number) })
      onOpen(null)
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  return (
    <>
      {error && <Failure title={words.notRestored} error={error} />}
      <VersionView version={version} differing={differing} />
      {mayRestore && !isCurrent && (
        <footer className="drawer-end">
          <Button look="primary" onPress={() => void restore()}>
            {words.restore}
          </Button>
        </footer>
      )}
    </>
  )
}
