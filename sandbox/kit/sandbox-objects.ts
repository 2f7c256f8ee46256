import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'

/** All objects of one kind at one provider, with their schema. */
export type SandboxCollection<Kept> = {
  readonly provider: 'stripe' | 'paypal' | 'google' | 'microsoft' | 'dns'
  readonly kind: string
  readonly schema: z.ZodType<Kept>
}

/** Default maximum number of objects in a list. */
const LISTED = 100

/** Inserts an object. Returns false when the id is taken. Waits if another transaction is inserting the same id. */
export async function addSandboxObject<Kept>(
  db: Db,
  { provider, kind }: SandboxCollection<Kept>,
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

/** Updates an existing object. */
export async function saveSandboxObject<Kept>(
  db: Db,
  { provider, kind }: SandboxCollection<Kept>,
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

/** Returns an object; null when it does not exist. `lock` locks the row until the transaction ends. */
export async function findSandboxObject<Kept>(
  db: Db,
  { provider, kind, schema }: SandboxCollection<Kept>,
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

/** Lists objects, newest first. `where` selects objects with these values. */
export async function listSandboxObjects<Kept>(
  db: Db,
  { provider, kind, schema }: SandboxCollection<Kept>,
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
