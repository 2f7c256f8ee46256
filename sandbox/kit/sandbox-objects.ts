import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'

/** Of one provider and of one kind. */
export type SandboxShelf<Kept> = {
  readonly provider: 'stripe' | 'paypal' | 'google' | 'microsoft' | 'dns'
  readonly kind: string
  readonly schema: z.ZodType<Kept>
}

/** How many objects a list shows, unless it is asked for more. */
const LISTED = 100

/** Keeps a new object. Answers false when there is one with this id; a transaction that is about to keep it is waited for. */
export async function addSandboxObject<Kept>(
  db: Db,
  { provider, kind }: SandboxShelf<Kept>,
  id: string,
  object: Kept,
): Promise<boolean> {
  const added = await db
    .insertInto('sandbox_objects')
    .values({ provider, kind, id, object: JSON.stringify(object) })
    .onConflict((conflict) => conflict.columns(['provider', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Changes an object that there is. */
export async function saveSandboxObject<Kept>(
  db: Db,
  { provider, kind }: SandboxShelf<Kept>,
  id: string,
  object: Kept,
): Promise<void> {
  await db
    .updateTable('sandbox_objects')
    .set({ object: JSON.stringify(object) })
    .where('provider', '=', provider)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute()
}

/** Null when there is none. `lock`: until the transaction ends nobody else changes it. */
export async function findSandboxObject<Kept>(
  db: Db,
  { provider, kind, schema }: SandboxShelf<Kept>,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Kept | null> {
  const row = await db
    .selectFrom('sandbox_objects')
    .select('object')
    .where('provider', '=', provider)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined ? null : schema.parse(row.object)
}

/** The newest first. `where`: those that have these values. */
export async function listSandboxObjects<Kept>(
  db: Db,
  { provider, kind, schema }: SandboxShelf<Kept>,
  {
    limit = LISTED,
    where = {},
  }: { readonly limit?: number; readonly where?: Readonly<Record<string, string>> } = {},
): Promise<Kept[]> {
  const rows = await db
    .selectFrom('sandbox_objects')
    .select('object')
    .where('provider', '=', provider)
    .where('kind', '=', kind)
    .where(sql<boolean>`object @> ${JSON.stringify(where)}::jsonb`)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => schema.parse(row.object))
}
