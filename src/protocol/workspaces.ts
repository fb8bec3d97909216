/** The workspace of the admin key. Its administrators are those of the deployment: they make the other workspaces. */
export const HOME_WORKSPACE = 'main';
