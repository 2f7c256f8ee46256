import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  addSandboxObject,
  listSandboxObjects,
  type SandboxCollection,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import type { Db } from '#server/platform/db/database.ts'

export const RECORD_TYPES = ['TXT', 'CNAME', 'A', 'AAAA'] as const

const recordSchema = z.object({
  id: z.string(),
  type: z.enum(RECORD_TYPES),
  name: z.string(),
  value: z.string(),
  isRemoved: z.boolean(),
})
export type SandboxRecord = z.infer<typeof recordSchema>

/** The servers' behavior: correct answers, no answers, or contradicting answers. */
export const SERVER_BEHAVIORS = ['good', 'silent', 'contradicting'] as const
export type ServerBehavior = (typeof SERVER_BEHAVIORS)[number]

const RECORDS: SandboxCollection<SandboxRecord> = { provider: 'dns', kind: 'record', schema: recordSchema }
const BEHAVIOR_ID = 'mood'
const BEHAVIORS: SandboxCollection<{ mood: ServerBehavior }> = {
  provider: 'dns',
  kind: 'mood',
  schema: z.object({ mood: z.enum(SERVER_BEHAVIORS) }),
}

/** Maximum number of records to list. More than anybody sets by hand. */
const MAX_RECORDS = 1_000

/** Lists the records, newest first. */
export async function listRecords(db: Db): Promise<SandboxRecord[]> {
  const kept = await listSandboxObjects(db, RECORDS, { limit: MAX_RECORDS })
  return kept.filter(({ isRemoved }) => !isRemoved)
}

export async function addRecord(
  db: Db,
  record: Pick<SandboxRecord, 'type' | 'name' | 'value'>,
): Promise<void> {
  const id = randomUUID()
  await addSandboxObject(db, RECORDS, id, { ...record, id, isRemoved: false })
}

export async function removeRecord(db: Db, id: string): Promise<void> {
  const record = (await listRecords(db)).find((one) => one.id === id)
  if (record !== undefined) await saveSandboxObject(db, RECORDS, id, { ...record, isRemoved: true })
}

export async function getServerBehavior(db: Db): Promise<ServerBehavior> {
  const [kept] = await listSandboxObjects(db, BEHAVIORS)
  return kept?.mood ?? 'good'
}

export async function setServerBehavior(db: Db, behavior: ServerBehavior): Promise<void> {
  const object = { mood: behavior }
  if (!(await addSandboxObject(db, BEHAVIORS, BEHAVIOR_ID, object)))
    await saveSandboxObject(db, BEHAVIORS, BEHAVIOR_ID, object)
}
