import type { Meridian } from '#server/app/compose.ts'
import type { Config } from '#server/app/config.ts'
import { findDemoLogin } from '#server/app/demo-account.ts'
import { DEMO_SLUG } from './seed.ts'

/** Prints the URL of each part of Meridian, one per line. */
export async function printUrls(config: Config, { database }: Meridian): Promise<void> {
  if (config.ROLE === 'worker') {
    console.log('Meridian worker is running')
    return
  }
  const demo = config.sandbox ? await findDemoLogin(database.db) : null
  const lines = demo
    ? [
        ['Booking page', `${config.BASE_URL}/book/${DEMO_SLUG}`],
        ['Dashboard', `${config.BASE_URL}/dashboard  (${demo.email} / ${demo.password})`],
      ]
    : [
        ['Home', `${config.BASE_URL}/`],
        ['Dashboard', `${config.BASE_URL}/dashboard`],
      ]
  if (config.sandbox && config.SMTP_URL === undefined)
    lines.push(['Mailbox', `${config.BASE_URL}/sandbox/mail`])
  lines.push(['API reference', `${config.BASE_URL}/api/docs`])
  console.log(['', ...lines.map(([name, address]) => `  ${`${name}:`.padEnd(15)} ${address}`), ''].join('\n'))
}
