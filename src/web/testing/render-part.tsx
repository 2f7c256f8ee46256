import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { type ReactNode, StrictMode } from 'react'
import { buildQueryClient } from '#web/entries/app/query-client.ts'
import { currentToast, dismissToast } from '#web/ui/toast-store.ts'
import { Toaster } from '#web/ui/toaster.tsx'

/** Renders a component with the app's query client and toasts, in strict mode. */
export function renderComponent(part: ReactNode): { user: UserEvent } {
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

/** Dismisses the toast that an earlier test may have left. */
export function dismissEarlierToast(): void {
  const shown = currentToast()
  if (shown !== null) dismissToast(shown.id)
}
