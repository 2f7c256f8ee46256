import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  addSandboxObject,
  listSandboxObjects,
  type SandboxShelf,
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

/** How the servers behave: as they should, not at all, or each differently. */
export const MOODS = ['good', 'silent', 'contradicting'] as const
export type Mood = (typeof MOODS)[number]

const RECORDS: SandboxShelf<SandboxRecord> = { provider: 'dns', kind: 'record', schema: recordSchema }
const MOOD_ID = 'mood'
const MOOD: SandboxShelf<{ mood: Mood }> = {
  provider: 'dns',
  kind: 'mood',
  schema: z.object({ mood: z.enum(MOODS) }),
}

/** More than a person sets by hand. */
const MAX_RECORDS = 1_000

/** The records that are there, the newest first. */
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

export async function findMood(db: Db): Promise<Mood> {
  const [kept] = await listSandboxObjects(db, MOOD)
  return kept?.mood ?? 'good'
}

export async function setMood(db: Db, mood: Mood): Promise<void> {
  if (!(await addSandboxObject(db, MOOD, MOOD_ID, { mood })))
    await saveSandboxObject(db, MOOD, MOOD_ID, { mood })
}
