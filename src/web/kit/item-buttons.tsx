import { Button } from '#web/ui/button.tsx'
import { Pencil } from '#web/ui/icons/pencil.ts'
import { Trash } from '#web/ui/icons/trash.ts'
import { Spinner } from '#web/ui/spinner.tsx'

/** The edit button of a list item. `name` is the item's name, which is part of the button's accessible name. */
export function EditButton({ name, onPress }: { name: string; onPress: () => void }) {
  return (
    <Button
      size="sm"
      variant="ghost"
      className="touch:min-w-11"
      aria-label={`Edit ${name}`}
      onClick={onPress}
    >
      <Pencil aria-hidden="true" className="size-4" />
    </Button>
  )
}

type DeleteButtonProps = {
  /** The accessible name: `Remove Room 1` or `Delete Room 1`. */
  label: string
  isPending?: boolean
  onPress: () => void
}

/** The delete button of a list item. */
export function DeleteButton({ label, isPending = false, onPress }: DeleteButtonProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      className="hover:text-danger! touch:min-w-11"
      aria-label={label}
      aria-disabled={isPending || undefined}
      onClick={onPress}
    >
      {isPending ? <Spinner /> : <Trash aria-hidden="true" className="size-4" />}
    </Button>
  )
}
