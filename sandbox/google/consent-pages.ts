import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { authorizationRequestSchema, registerConsentPage } from '#sandbox/calendars/consent-page.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import { html } from '#sandbox/kit/html.ts'

/** Source: https://developers.google.com/identity/protocols/oauth2/web-server#creatingclient */
const request = authorizationRequestSchema.extend({
  access_type: z.literal('offline'),
  include_granted_scopes: z.enum(['true', 'false']).default('false'),
})

const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/'

/** The text for each scope on Google's consent page. */
const SENTENCES: Readonly<Record<string, string>> = {
  'calendar.calendarlist.readonly': 'See the list of Google calendars you’re subscribed to',
  'calendar.events.freebusy': 'See the availability on Google calendars you have access to',
  'calendar.events.owned': 'See, create, change, and delete events on Google calendars you own',
}

/** Registers the consent page, on which people can untick scopes. */
export function registerGoogleConsentPage(app: FastifyInstance, world: CalendarSandboxContext): void {
  registerConsentPage(app, world, {
    path: '/o/oauth2/v2/auth',
    request,
    title: 'Sign in with Google',
    unknownTitle: 'Access blocked',
    yes: { value: 'allow', label: 'Allow access' },
    describe: (scopes) =>
      html`<p>Meridian wants to:</p>${scopes.filter(isChoice).map(shortNameOf).map(toBox)}`,
    newCode: () => `4/0${randomBytes(24).toString('base64url')}`,
    choose: ({ scope }, decided) =>
      scope.split(' ').filter((name) => !isChoice(name) || decided[shortNameOf(name)] === 'on'),
    keepsEarlier: ({ include_granted_scopes }) => include_granted_scopes === 'true',
    answer: (outcome) =>
      outcome === 'cancelled'
        ? { error: 'access_denied' }
        : { code: outcome.code, scope: outcome.scopes.join(' ') },
  })
}

function toBox(name: string) {
  return html`<label class="box"><input type="checkbox" name="${name}" checked> ${SENTENCES[name] ?? name}</label>`
}

/** True for scopes that can be unticked. Identity scopes cannot. */
function isChoice(scope: string): boolean {
  return scope.startsWith(CALENDAR_SCOPE)
}

function shortNameOf(scope: string): string {
  return scope.replace(CALENDAR_SCOPE, '')
}
