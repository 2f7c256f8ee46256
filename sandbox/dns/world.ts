import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  addSandboxObject,
  listSandboxObjects,
  type SandboxCollection,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import type { Db } from '#server/platform/db/database.ts'

export const DNS_RECORD_TYPES = ['TXT', 'CNAME', 'A', 'AAAA'] as const

const recordSchema = z.object({
  id: z.string(),
  type: z.enum(DNS_RECORD_TYPES),
  name: z.string(),
  value: z.string(),
  isRemoved: z.boolean(),
})
export type SandboxDnsRecord = z.infer<typeof recordSchema>

/** The servers' behavior: correct answers, no answers, or contradicting answers. */
export const DNS_SERVER_BEHAVIORS = ['good', 'silent', 'contradicting'] as const
export type DnsServerBehavior = (typeof DNS_SERVER_BEHAVIORS)[number]

const RECORDS: SandboxCollection<SandboxDnsRecord> = { provider: 'dns', kind: 'record', schema: recordSchema }
const BEHAVIOR_ID = 'mood'
const BEHAVIORS: SandboxCollection<{ mood: DnsServerBehavior }> = {
  provider: 'dns',
  kind: 'mood',
  schema: z.object({ mood: z.enum(DNS_SERVER_BEHAVIORS) }),
}

/** Maximum number of records to list. More than anybody sets by hand. */
const MAX_RECORDS = 1_000

/** Lists the records, newest first. */
export async function listDnsRecords(db: Db): Promise<SandboxDnsRecord[]> {
  const kept = await listSandboxObjects(db, RECORDS, { limit: MAX_RECORDS })
  return kept.filter(({ isRemoved }) => !isRemoved)
}

export async function addDnsRecord(
  db: Db,
  record: Pick<SandboxDnsRecord, 'type' | 'name' | 'value'>,
): Promise<void> {
  const id = randomUUID()
  await addSandboxObject(db, RECORDS, id, { ...record, id, isRemoved: false })
}

export async function removeDnsRecord(db: Db, id: string): Promise<void> {
  const record = (await listDnsRecords(db)).find((one) => one.id === id)
  if (record !== undefined) await saveSandboxObject(db, RECORDS, id, { ...record, isRemoved: true })
}

export async function getDnsServerBehavior(db: Db): Promise<DnsServerBehavior> {
  const [kept] = await listSandboxObjects(db, BEHAVIORS)
  return kept?.mood ?? 'good'
}

export async function setDnsServerBehavior(db: Db, behavior: DnsServerBehavior): Promise<void> {
  const object = { mood: behavior }
  if (!(await addSandboxObject(db, BEHAVIORS, BEHAVIOR_ID, object)))
    await saveSandboxObject(db, BEHAVIORS, BEHAVIOR_ID, object)
}
