import { z } from 'zod'
import {
  addSandboxObject,
  findSandboxObject,
  type SandboxShelf,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

const outage = z.object({ isDown: z.boolean() })
const OUTAGE: SandboxShelf<z.infer<typeof outage>> = {
  provider: 'stripe',
  kind: 'plan_outage',
  schema: outage,
}
const ID = 'plan_outage'

/** Whether the stand-in's API answers nothing but faults at the moment. Its pages work. */
export async function isDown(db: Db): Promise<boolean> {
  return (await findSandboxObject(db, OUTAGE, ID))?.isDown ?? false
}

export async function setDown(trx: Trx, down: boolean): Promise<void> {
  if (!(await addSandboxObject(trx, OUTAGE, ID, { isDown: down }))) {
    await saveSandboxObject(trx, OUTAGE, ID, { isDown: down })
  }
}
