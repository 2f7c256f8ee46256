import type { Location } from '#contract/availability/locations.ts'
import { Button } from '#web/ui/button.tsx'

type KnownPlacesProps = {
  /** The owner's locations that this calendar does not have. */
  locations: readonly Location[]
  /** What is being typed as a name. */
  typed: string
  pending: boolean
  onChoose: (location: Location) => void
}

const SHOWN_AT_MOST = 3

/** While a name is typed: the owner's own locations that it may mean. */
export function KnownLocations({ locations, typed, pending, onChoose }: KnownPlacesProps) {
  const words = typed.trim().toLowerCase()
  const known = locations.filter(
    (location) => words.length > 1 && location.name.toLowerCase().includes(words),
  )
  if (known.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-soft">You have this already. Use it as it is:</p>
      <ul className="flex flex-col gap-2">
        {known.slice(0, SHOWN_AT_MOST).map((location) => (
          <li key={location.id}>
            <Button
              className="w-full justify-start! text-start"
              pending={pending}
              onClick={() => onChoose(location)}
            >
              <span className="min-w-0 break-words">
                {[location.name, location.address].filter(Boolean).join(', ')}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
