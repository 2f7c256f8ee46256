import { post } from './post-form.ts'

export type ConsentDecision = {
  readonly email: string
  /** Scopes whose boxes the person unticks, without their address: `calendar.events.owned`. */
  readonly unticked?: readonly string[]
  readonly decision?: 'allow' | 'cancel'
}

/** What a person decides on the consent page of a stand-in, and where it leads the browser. */
export async function decide(
  consentUrl: string,
  { email, unticked = [], decision = 'allow' }: ConsentDecision,
): Promise<URL> {
  const page = await (await fetch(consentUrl)).text()
  const boxes = [...page.matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, name = '']) => name)
  const ticked = boxes.filter((name) => !unticked.includes(name)).map((name) => [name, 'on'])
  // Each provider has a word of its own on the button that says yes.
  const [, yes = ''] = /<button class="main" name="decision" value="(\w+)"/.exec(page) ?? []
  const pressed = decision === 'allow' ? yes : decision
  const answer = await post(consentUrl, { email, decision: pressed, ...Object.fromEntries(ticked) })
  return new URL(answer.headers.get('location') ?? '')
}
