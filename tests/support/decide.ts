import { postForm } from './post-form.ts'

export type ConsentDecision = {
  readonly email: string
  /** Scopes that the person unticks, without their URL prefix: `calendar.events.owned`. */
  readonly unticked?: readonly string[]
  readonly decision?: 'allow' | 'cancel'
}

/** Answers a sandbox's consent page as a person would. Returns the URL to which the browser is redirected. */
export async function submitConsentPage(
  consentUrl: string,
  { email, unticked = [], decision = 'allow' }: ConsentDecision,
): Promise<URL> {
  const page = await (await fetch(consentUrl)).text()
  const boxes = [...page.matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, name = '']) => name)
  const ticked = boxes.filter((name) => !unticked.includes(name)).map((name) => [name, 'on'])
  // Each provider gives its consent button a different value.
  const [, yes = ''] = /<button class="main" name="decision" value="(\w+)"/.exec(page) ?? []
  const pressed = decision === 'allow' ? yes : decision
  const answer = await postForm(consentUrl, { email, decision: pressed, ...Object.fromEntries(ticked) })
  return new URL(answer.headers.get('location') ?? '')
}
