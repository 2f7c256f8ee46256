import type { Owner } from '#contract/accounts/sessions.ts'
import { FinalCallToAction } from './closing-call.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { Promises } from './promises.tsx'
import { useToastAfterAccountDeletion } from './use-farewell.ts'
import { WhyChoose } from './why-choose.tsx'

/** The landing page. Source: rule W4. */
export function HomePage({ owner }: { owner: Owner | null | undefined }) {
  useToastAfterAccountDeletion()
  return (
    <main className="flex-1">
      <Hero owner={owner} />
      <WhyChoose />
      <HowItWorks />
      <Promises />
      <FinalCallToAction owner={owner} />
    </main>
  )
}
