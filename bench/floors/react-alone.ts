import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

/** The smallest page that React can draw: what no page of ours can be smaller than. */
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(createElement('h1', null, 'React alone'))
