import type { Location } from '#contract/availability/locations.ts'
import { BinButton, EditButton } from '#web/kit/item-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Users } from '#web/ui/icons/users.ts'
import { LocationDetails } from './location-details.tsx'
import { count } from './usage-sentences.ts'

type LocationItemProps = {
  location: Location
  isPrimary?: boolean | undefined
  /** The label of the button and its action: makes the location primary, or adds it to the calendar. */
  main?: { label: string; pendingLabel: string; pending: boolean; onPress: () => void } | undefined
  /** The action of the bin. */
  removal: 'Remove' | 'Delete'
  onRemove: () => void
  onEdit: () => void
  onShowUsers: () => void
}

/** One location with its actions. Somebody else's can be used, but not changed. */
export function LocationItem({
  location,
  isPrimary = false,
  main,
  removal,
  onRemove,
  onEdit,
  onShowUsers,
}: LocationItemProps) {
  const { name, user_id, shareable, used_by_others } = location
  return (
    <article
      aria-label={name}
      className="flex min-w-0 flex-wrap items-start justify-between gap-3 rounded-control border border-line bg-surface p-4"
    >
      <LocationDetails location={location} isPrimary={isPrimary}>
        {user_id === null && (
          <p className="mt-0.5 text-sm text-ink-soft">Shared by another owner, who alone can change it</p>
        )}
        {user_id !== null && (shareable || used_by_others > 0) && (
          <button
            type="button"
            onClick={onShowUsers}
            className="-mb-2.5 inline-flex min-h-11 items-center gap-1.5 rounded-control text-sm font-semibold text-link underline-offset-4 hover:underline"
          >
            <Users aria-hidden="true" className="size-4" />
            {used_by_others === 0
              ? 'Share it with another owner'
              : `Used by ${count(used_by_others, 'calendar')} of other owners`}
          </button>
        )}
      </LocationDetails>
      <div className="ms-auto flex items-center gap-1">
        {main !== undefined && (
          <Button
            size="sm"
            aria-label={`${main.label}: ${name}`}
            pending={main.pending}
            pendingLabel={main.pendingLabel}
            onClick={main.onPress}
          >
            {main.label}
          </Button>
        )}
        {user_id !== null && <EditButton name={name} onPress={onEdit} />}
        <BinButton label={`${removal} ${name}`} onPress={onRemove} />
      </div>
    </article>
  )
}
