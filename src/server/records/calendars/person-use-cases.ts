import { randomUUID } from 'node:crypto'
import { isSameName } from '#core/shared/same-name.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { insertPerson, listPeople, type Person } from './person-repository.ts'

/**
 * Returns the person with this name, creating one if needed. An empty name means the owner. The account is locked.
 * Source: rule T38.
 */
export async function getOrCreatePerson(
  trx: Trx,
  ownerId: OwnerId,
  { name, createdAt }: { readonly name: string; readonly createdAt: Date },
): Promise<Person> {
  const people = await listPeople(trx, ownerId)
  const known = people.find((person) => (name === '' ? person.isOwner : isSameName(person.name, name)))
  if (known !== undefined) return known
  const id = randomUUID()
  await insertPerson(trx, ownerId, { id, name, createdAt })
  return { id, name, isOwner: false }
}
