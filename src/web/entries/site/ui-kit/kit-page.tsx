import { BookingNavigation } from '#web/shared/booking-navigation.tsx'
import { ControlsSection } from './controls-section.tsx'
import { FieldsSection } from './fields-section.tsx'
import { MessagesSection } from './messages-section.tsx'
import { OverlaysSection } from './overlays-section.tsx'
import { TokensSection } from './tokens-section.tsx'

/**
 * Shows every component of the kit in every state, for inspection and tests. No page links here, and it opens only on the same
 * machine.
 */
export function KitPage() {
  return (
    <main className="mx-auto w-full max-w-6xl flex-1 space-y-12 px-4 py-10 sm:px-6">
      <h1 className="text-4xl">UI kit</h1>
      <TokensSection />
      <ControlsSection />
      <FieldsSection />
      <MessagesSection />
      <OverlaysSection />
      <div inert className="rounded-card border border-line">
        <BookingNavigation />
      </div>
    </main>
  )
}
