import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { type ReactNode, StrictMode } from 'react'
import { buildQueryClient } from '#web/entries/app/query-client.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { currentToast, dismissToast } from '#web/ui/toast-store.ts'

/** Renders a part of the app with its cache and its toasts, twice as strict as production. */
export function renderPart(part: ReactNode): { user: UserEvent } {
  dismissEarlierToast()
  const user = userEvent.setup({ delay: null })
  render(
    <StrictMode>
      <QueryClientProvider client={buildQueryClient()}>
        {part}
        <Toaster />
      </QueryClientProvider>
    </StrictMode>,
  )
  return { user }
}

/** The toast of the test before is not this test's. */
export function dismissEarlierToast(): void {
  const shown = currentToast()
  if (shown !== null) dismissToast(shown.id)
}
