# The portal with its own server, as `plackup` runs it; Debian's package expects nginx or Apache for the static files.
use Plack::Builder;
use Lemonldap::NG::Portal::Main;

builder {
    enable 'Static', path => qr{^/static/}, root => '/usr/share/lemonldap-ng/portal/htdocs/';
    enable 'Static', path => qr{^/javascript/}, root => '/usr/share/';
    Lemonldap::NG::Portal::Main->run( {} );
};
