// Runs the writes of one transaction inside an app. A write that fails is skipped.

export interface Write {
  /** A name in WRITES. */
  readonly kind: string
  /** A collection. */
  readonly of: string
  /** Which record, counted around. */
  readonly pick: number
  /** Values; `{ ref, pick }` stands for the id of a record. */
  readonly data: Record<string, any>
  readonly locale?: string
}

export async function write({ input, transaction }: any): Promise<{ done: number; refused: string[] }> {
  const refused: string[] = []
  await transaction(async (outer: any) => {
    for (const each of input.writes) {
      // Each write has its own savepoint.
      await outer
        .transaction((inner: any) => attempt(inner.asSystem(), each))
        .catch((error: Error) => refused.push(`${each.kind} ${each.of}: ${error.message}`))
    }
  })
  return { done: input.writes.length - refused.length, refused }
}

async function attempt(api: any, asked: Write) {
  const own = await WRITES[asked.kind]?.(api, { ...asked, data: await resolved(api, asked.data) })
  if (own === undefined) throw new Error("There is no such write, or nothing to write.")
}

async function resolved(api: any, value: any): Promise<any> {
  if (Array.isArray(value)) {
    const all = await Promise.all(value.map((each) => resolved(api, each)))
    return [...new Set(all.filter((each) => each !== null))]
  }
  if (typeof value !== "object" || value === null) return value
  if ("ref" in value) return (await pickId(api, value.ref, value)) ?? null
  const entries = Object.entries(value).map(async ([name, each]) => [name, await resolved(api, each)])
  return Object.fromEntries(await Promise.all(entries))
}

async function pickId(
  api: any,
  name: string,
  { pick, isDeleted = false }: { pick: number; isDeleted?: boolean },
): Promise<string | undefined> {
  const deleted = isDeleted ? { includeDeleted: true, where: { deletedAt: { isNotNull: true } } } : {}
  const { docs } = await api.collections[name].find({
    columns: { id: true },
    orderBy: { id: "asc" },
    limit: 500,
    ...deleted,
  })
  return docs[pick % Math.max(1, docs.length)]?.id
}

const optionsOf = ({ locale }: Write) => (locale ? { locale } : undefined)

const WRITES: Record<string, (api: any, asked: Write) => Promise<unknown>> = {
  create: (api, asked) => api.collections[asked.of].create(asked.data, optionsOf(asked)),
  update: (api, asked) => onPicked(api, asked, (id, own) => own.updateById({ id, data: asked.data }, optionsOf(asked))),
  // Changes the published copy alone.
  staged: (api, asked) =>
    onPicked(api, asked, (id, own) => own.updateById({ id, data: asked.data }, { stage: "published" })),
  delete: (api, asked) => onPicked(api, asked, (id, own) => own.deleteById({ id })),
  restore: (api, asked) => onPicked(api, { ...asked, isDeleted: true }, (id, own) => own.restoreById({ id })),
  purge: (api, asked) => onPicked(api, { ...asked, isDeleted: true }, (id, own) => own.purgeById({ id })),
  updateMany: (api, { of, data: { where, data } }) => api.collections[of].updateMany({ where, data }),
  deleteMany: (api, { of, data: { where } }) => api.collections[of].deleteMany({ where }),
  move: (api, asked) => onPicked(api, asked, (id, own) => own.transitionStage({ id, stage: asked.data["stage"] })),
  revert: (api, asked) =>
    onPicked(api, asked, async (id, own) => {
      const versions = await own.findVersions({ id })
      return own.revertToVersion({ id, version: versions[asked.pick % versions.length].versionNumber })
    }),
  setting: (api, asked) => api.globals["settings"].update(asked.data, optionsOf(asked)),
  // Writes directly with SQL, and reports the change with `touch`.
  past: (api, asked) =>
    onPicked(api, asked, async (id) => {
      await api.db.updateTable(asked.of).set(asked.data).where("id", "=", id).execute()
      await api.touch(asked.of, id)
      return id
    }),
}

async function onPicked(
  api: any,
  asked: Write & { isDeleted?: boolean },
  work: (id: string, own: any) => Promise<unknown>,
) {
  const id = await pickId(api, asked.of, asked)
  return id === undefined ? undefined : work(id, api.collections[asked.of])
}
