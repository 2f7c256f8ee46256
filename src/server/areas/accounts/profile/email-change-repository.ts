import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** A pending change of an account's email address, until its link is opened. An account has at most one. */
export type EmailChange = {
  readonly newEmail: string
  /** The SHA-256 hash of the link's secret, in hex; the secret itself is only in the email. */
  readonly secretHash: string
  /**
   * The SHA-256 hash of the password hash stored at that time, so that changing the password invalidates the link.
   * Source: rule U9.
   */
  readonly passwordHash: string
}

const storedChange = z.object({ newEmail: z.string(), secretHash: z.string(), passwordHash: z.string() })

/**
 * Finds the pending change of an account. Null when there is none, when it has expired, or when the password has been
 * changed since.
 */
export async function findEmailChange(db: Db, userId: string, now: Date): Promise<EmailChange | null> {
  const { rows } = await sql<{ value: string; password_hash: string }>`
    select verifications.value, encode(sha256(convert_to(accounts.password, 'UTF8')), 'hex') as password_hash
    from verifications
    join accounts on accounts.user_id = ${userId} and accounts.provider_id = 'credential'
    where verifications.identifier = ${identifierOf(userId)} and verifications.expires_at > ${now}
    order by verifications.created_at desc limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const change = storedChange.parse(JSON.parse(row.value))
  return change.passwordHash === row.password_hash ? change : null
}

/** Stores a pending change, replacing an earlier one. */
export async function replaceEmailChange(
  trx: Trx,
  userId: string,
  change: Pick<EmailChange, 'newEmail' | 'secretHash'> & { expiresAt: Date },
): Promise<void> {
  await deleteEmailChange(trx, userId)
  await sql`
    insert into verifications (id, identifier, value, expires_at)
    select ${randomUUID()}, ${identifierOf(userId)},
      json_build_object(
        'newEmail', ${change.newEmail}::text,
        'secretHash', ${change.secretHash}::text,
        'passwordHash', encode(sha256(convert_to(password, 'UTF8')), 'hex')
      )::text,
      ${change.expiresAt}
    from accounts where user_id = ${userId} and provider_id = 'credential'`.execute(trx)
}

export async function deleteEmailChange(db: Db, userId: string): Promise<void> {
  await sql`delete from verifications where identifier = ${identifierOf(userId)}`.execute(db)
}

/**
 * Returns the identifier of an account's change. It cannot collide with identifiers of the account library, which
 * hashes its own.
 */
function identifierOf(userId: string): string {
  return `email-change:${userId}`
}
