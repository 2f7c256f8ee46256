import { toConnectionPurpose } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { toFeedPurpose } from '#server/areas/external-calendars/feeds/use-cases.ts'
import { toPaypalSecretPurpose } from '#server/areas/payments/accounts/use-cases.ts'
import { TWO_FACTOR_SECRETS } from '#server/platform/auth/auth-tables.ts'
import { type SecretColumn, sealedColumn } from '#server/platform/secrets/stored-secrets.ts'

/** All columns of the database that are encrypted with SECRET_KEY, except the key for pseudonyms. Source: rule D15. */
export const STORED_SECRETS: readonly SecretColumn[] = [
  ...TWO_FACTOR_SECRETS,
  sealedColumn(
    { table: 'calendar_connections', id: 'id', column: 'credentials_encrypted' },
    toConnectionPurpose,
  ),
  sealedColumn(
    { table: 'payment_settings', id: 'calendar_id', column: 'paypal_client_secret_encrypted' },
    toPaypalSecretPurpose,
  ),
  sealedColumn({ table: 'calendar_feeds', id: 'calendar_id', column: 'token_encrypted' }, toFeedPurpose),
]
