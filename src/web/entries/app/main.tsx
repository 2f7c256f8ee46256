import '#web/kit/zod-without-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app.css'
import { App } from './app.tsx'
import { reloadOnHistoryLeavingApp } from './follow-history-outside.ts'
import { buildQueryClient } from './query-client.ts'
import { buildRouter } from './router.tsx'

reloadOnHistoryLeavingApp()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const queryClient = buildQueryClient()
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} router={buildRouter(queryClient)} />
  </StrictMode>,
)
