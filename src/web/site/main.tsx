import '#web/ui/theme.css'
import { mount } from '#web/shared/mount.tsx'
import { SiteApp } from './site-app.tsx'

mount(<SiteApp path={location.pathname} />)
