import { toConnectionPurpose } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { toFeedTokenPurpose } from '#server/areas/external-calendars/feeds/use-cases.ts'
import { toPaypalSecretPurpose } from '#server/areas/payments/accounts/use-cases.ts'
import { TWO_FACTOR_SECRET_COLUMNS } from '#server/platform/auth/auth-tables.ts'
import { describeSecretColumn, type SecretColumn } from '#server/platform/secrets/stored-secrets.ts'
import { toAnswerPurpose } from '#server/records/questions/use-cases.ts'

/** All columns of the database that are encrypted with SECRET_KEY, except the key for pseudonyms. Source: rule D15. */
export const STORED_SECRETS: readonly SecretColumn[] = [
  ...TWO_FACTOR_SECRET_COLUMNS,
  describeSecretColumn(
    { table: 'calendar_connections', id: 'id', column: 'credentials_encrypted' },
    toConnectionPurpose,
  ),
  describeSecretColumn(
    { table: 'payment_settings', id: 'calendar_id', column: 'paypal_client_secret_encrypted' },
    toPaypalSecretPurpose,
  ),
  describeSecretColumn(
    { table: 'calendar_feeds', id: 'calendar_id', column: 'token_encrypted' },
    toFeedTokenPurpose,
  ),
  describeSecretColumn({ table: 'answers', id: 'id', column: 'value_encrypted' }, toAnswerPurpose),
]
