import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { App } from '#web/entries/app/app.tsx'
import { buildQueryClient } from '#web/entries/app/query-client.ts'
import { type AppRouter, buildRouter } from '#web/entries/app/router.tsx'
import { dismissEarlierToast } from '#web/testing/render-part.tsx'

/** Renders the whole app at a path. */
export function renderApp(path: string): { user: UserEvent; router: AppRouter } {
  dismissEarlierToast()
  const user = userEvent.setup({ delay: null })
  const queryClient = buildQueryClient()
  const router = buildRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  )
  return { user, router }
}
