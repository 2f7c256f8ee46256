import type { DnsAnswer, ResolvedName } from '#core/addresses/domain-records.ts'
import type { Dns } from '#server/ports/dns.ts'

/** How a server handles a query. */
type Manner = 'answers' | 'is silent' | 'has nothing'

export type FakeDns = Dns & {
  readonly addText: (name: string, text: string) => void
  readonly point: (name: string, pointing: ResolvedName) => void
  readonly forgetTexts: () => void
  readonly forget: () => void
  /** Sets how each server behaves, in order. */
  readonly behave: (...manners: Manner[]) => void
  /** Sets a callback that runs before each response. */
  readonly before: (work: () => Promise<void>) => void
}

/** Fake DNS servers in memory, which respond with the records that a test has set. */
export function makeFakeDns(): FakeDns {
  const texts = new Map<string, string[]>()
  const pointings = new Map<string, ResolvedName>()
  let manners: readonly Manner[] = ['answers', 'answers', 'answers']
  let work = async () => {}
  const ask = async <Found>(found: Found | undefined): Promise<DnsAnswer<Found>[]> => {
    await work()
    return manners.map((manner) => {
      if (manner === 'is silent') return { outcome: 'unknown' }
      return found === undefined || manner === 'has nothing'
        ? { outcome: 'none' }
        : { outcome: 'found', found }
    })
  }
  return {
    listTexts: (name) => ask(texts.get(name)),
    listResolvedNames: (name) => ask(pointings.get(name)),
    addText: (name, text) => void texts.set(name, [...(texts.get(name) ?? []), text]),
    point: (name, pointing) => void pointings.set(name, pointing),
    forgetTexts: () => texts.clear(),
    forget: () => {
      texts.clear()
      pointings.clear()
      manners = ['answers', 'answers', 'answers']
      work = async () => {}
    },
    behave: (...given) => {
      manners = given
    },
    before: (given) => {
      work = given
    },
  }
}
