import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { toLines } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

/** Tells the operator that a backup failed, and why. Source: rule D21. */
export async function buildBackupFailed(
  input: { readonly to: MailAddress; readonly reason: string; readonly deliveryId: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const intro = `Last night’s backup of ${origin.host} failed. Earlier backups are still there.`
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'backup-failed'],
      to: input.to,
      calendar: null,
      about: null,
      heading: 'A backup failed',
      preview: intro,
      blocks: [
        { kind: 'paragraph', text: intro },
        { kind: 'notes', label: 'Reason', lines: toLines(input.reason) },
        {
          kind: 'paragraph',
          text: 'Once the reason is gone, “npm run backup” on the server makes one right away.',
        },
      ],
      footer: 'The next backup is tried tomorrow night.',
    },
    origin,
  )
}
