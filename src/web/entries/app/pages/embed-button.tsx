import { lazy, Suspense, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { Code } from '#web/ui/icons/code.ts'

/** Loaded lazily, when the dialog is opened. */
const EmbedDialog = lazy(async () => {
  const { EmbedDialog } = await import('#web/areas/calendars/embedding/embed-dialog.tsx')
  return { default: EmbedDialog }
})

type EmbedButtonProps = {
  calendar: Calendar
  /** True for a button of full size, whose label is shown even where there is little room. */
  isLabelled?: boolean
}

/** A button that opens the dialog with the embed code. */
export function EmbedButton({ calendar, isLabelled = false }: EmbedButtonProps) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <Button {...(isLabelled ? {} : { variant: 'ghost', size: 'sm' })} onClick={() => setState('open')}>
        <Code aria-hidden="true" className="size-4" />
        <span className={isLabelled ? undefined : '@max-4xl:sr-only'}>Add to website</span>
      </Button>
      {state !== 'never' && (
        <Suspense fallback={null}>
          <EmbedDialog
            calendar={calendar}
            open={state === 'open'}
            onOpenChange={(open) => setState(open ? 'open' : 'closed')}
          />
        </Suspense>
      )}
    </>
  )
}
