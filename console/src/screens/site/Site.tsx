import { Navigate, useParams } from 'react-router';
import { paths } from '../../paths.ts';

/** A site begins with its people. */
export function Component() {
  const { site = '' } = useParams();
  return <Navigate to={paths.sitePeople(site)} replace />;
}
