import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { showToastOfPreviousDocument } from '#web/shared/next-document.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import type { AppRouter } from './router.tsx'

/** The app of the logged-in owner, including the login after a session has ended. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  useEffect(showToastOfPreviousDocument, [])
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>
  )
}
