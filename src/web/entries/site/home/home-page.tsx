import { FinalCallToAction } from './closing-call.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { Promises } from './promises.tsx'
import { useToastAfterAccountDeletion } from './use-farewell.ts'
import type { HomePageViewer } from './way-in.tsx'
import { WhyChoose } from './why-choose.tsx'

/** The landing page. Source: rule W4. */
export function HomePage(viewer: HomePageViewer) {
  useToastAfterAccountDeletion()
  return (
    <main className="flex-1">
      <Hero {...viewer} />
      <WhyChoose />
      <HowItWorks />
      <Promises />
      <FinalCallToAction {...viewer} />
    </main>
  )
}
