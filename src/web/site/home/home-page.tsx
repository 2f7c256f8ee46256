import { ClosingCall } from './closing-call.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { Promises } from './promises.tsx'
import { useFarewell } from './use-farewell.ts'
import { WhyChoose } from './why-choose.tsx'

/** The landing page. Source: spec §2 "Home page". */
export function HomePage() {
  useFarewell()
  return (
    <main className="flex-1">
      <Hero />
      <WhyChoose />
      <HowItWorks />
      <Promises />
      <ClosingCall />
    </main>
  )
}
