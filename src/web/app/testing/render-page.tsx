import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { type ReactNode, StrictMode } from 'react'
import { Toaster } from '#web/ui/toast.tsx'
import { currentToast, dismissToast } from '#web/ui/toast-store.ts'
import { App } from '../app.tsx'
// Loaded with the test: what a browser downloads takes the test's machine seconds to put together.
import '../pages/owner-pages.ts'
import { buildQueryClient } from '../query-client.ts'
import { type AppRouter, buildRouter } from '../router.tsx'

/** Renders a part of the app with its cache and its toasts, twice as strict as production. */
export function renderPart(part: ReactNode): { user: UserEvent } {
  forgetToast()
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

/** Opens the whole app at an address. */
export function renderApp(path: string): { user: UserEvent; router: AppRouter } {
  forgetToast()
  const user = userEvent.setup({ delay: null })
  const queryClient = buildQueryClient()
  const router = buildRouter(queryClient, { history: createMemoryHistory({ initialEntries: [path] }) })
  render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  )
  return { user, router }
}

/** The toast of the test before is not this test's. */
function forgetToast(): void {
  const shown = currentToast()
  if (shown !== null) dismissToast(shown.id)
}
