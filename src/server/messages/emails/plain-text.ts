import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatAppointmentTime } from '#server/records/appointments/appointment-time.ts'
import type { MailBlock, MailDocument } from './mail-document.ts'

/**
 * Renders an email as plain text. Notes are quoted line by line, so that no line of them can pass for our own text or
 * link. Lines are not wrapped: the mail client does that, and a wrapped link would break.
 */
export function renderPlainText(document: MailDocument): string {
  const paragraphs = [document.masthead, document.heading, ...document.blocks.map(renderBlock)]
  return `${[...paragraphs, ['--', ...document.footer].join('\n')].join('\n\n')}\n`
}

function renderBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text
    case 'time':
      return [formatAppointmentTime(block.time), ...(block.elsewhere === null ? [] : [block.elsewhere])].join(
        '\n',
      )
    case 'facts':
      return block.facts
        .map(({ label, lines }) => `${label}: ${lines.map(wrapInBidiIsolates).join(', ')}`)
        .join('\n')
    case 'notes':
      return [`${block.label}:`, ...block.lines.map((line) => `> ${line}`.trimEnd())].join('\n')
    case 'choices':
      return [`${block.label}:`, ...block.choices.map(({ label, url }) => `${label}: ${url}`)].join('\n')
    case 'button':
    case 'link':
      return `${block.label}:\n${block.url}`
  }
}
