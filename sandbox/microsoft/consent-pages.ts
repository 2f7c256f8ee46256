import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { authorizationRequestSchema, registerConsentPage } from '#sandbox/calendars/consent-page.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import { html } from '#sandbox/kit/html.ts'

/** Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#request-an-authorization-code */
const request = authorizationRequestSchema.extend({ response_mode: z.literal('query') })

/** The text for each scope on Microsoft's consent page. */
const SENTENCES: Readonly<Record<string, string>> = {
  offline_access: 'Maintain access to data you have given it access to',
  'User.Read': 'Sign you in and read your profile',
  'MailboxSettings.Read': 'Read your mailbox settings',
  'Calendars.Read': 'Read your calendars',
  'Calendars.ReadWrite': 'Have full access to your calendars',
}

/** Registers the consent page. People accept all scopes or none. */
export function registerMicrosoftConsentPage(app: FastifyInstance, world: CalendarSandboxContext): void {
  registerConsentPage(app, world, {
    path: '/common/oauth2/v2.0/authorize',
    request,
    title: 'Permissions requested',
    unknownTitle: 'Sign in',
    yes: { value: 'accept', label: 'Accept' },
    describe: (scopes) =>
      html`<p>Let Meridian:</p><ul>${scopes.map((name) => html`<li>${SENTENCES[name] ?? name}</li>`)}</ul>`,
    newCode: () => `M.C5${randomBytes(24).toString('base64url')}`,
    choose: ({ scope }) => scope.split(' '),
    // Scopes that the account accepted earlier remain accepted.
    keepsEarlier: () => true,
    answer: (outcome) =>
      outcome === 'cancelled' ? { error: 'access_denied', error_subcode: 'cancel' } : { code: outcome.code },
  })
}
