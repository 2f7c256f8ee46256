import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import type { Auth } from '#server/platform/auth/auth.ts'
import type { KnownDevices } from '#server/platform/auth/known-devices.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'

export type SessionsDeps = {
  readonly db: Db
  readonly auth: Auth
  readonly budgets: Budgets
  readonly devices: KnownDevices
  readonly signer: Signer
  readonly queueAccountMailRequest: (trx: Trx, request: AccountMailRequest) => Promise<void>
}
