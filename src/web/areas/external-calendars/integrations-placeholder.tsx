import { ButtonShape, LineShape, Repeated } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'

/** The first provider over the whole width, three more and the feed, as they are before anything is connected. */
export function IntegrationsPlaceholder() {
  return (
    <div className="flex flex-col gap-6">
      <ProviderShape />
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        <Repeated count={3}>
          <ProviderShape />
        </Repeated>
      </div>
      <ProviderShape />
    </div>
  )
}

function ProviderShape() {
  return (
    <Card>
      <LineShape size="xl" className="w-40" />
      <div className="mt-1 mb-4">
        <LineShape className="w-full" />
        <LineShape className="w-2/3" />
      </div>
      <ButtonShape className="w-56" />
    </Card>
  )
}
