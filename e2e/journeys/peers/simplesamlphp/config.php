<?php
$run = getenv('RUN');
$config = [
    'baseurlpath' => getenv('URL') . '/',
    'certdir' => "$run/",
    'loggingdir' => "$run/",
    'datadir' => "$run/",
    'tempdir' => "$run/temporary",
    'metadatadir' => __DIR__ . '/',
    // the provider itself and, once it is known, the service by the metadata that it publishes
    'metadata.sources' => [
        ['type' => 'flatfile'],
        ...(file_exists("$run/service.xml") ? [['type' => 'xml', 'file' => "$run/service.xml"]] : []),
    ],
    'timezone' => 'UTC',
    'secretsalt' => getenv('SALT'),
    'auth.adminpassword' => getenv('SALT'),
    'logging.handler' => 'errorlog',
    'showerrors' => true,
    'enable.saml20-idp' => true,
    'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
    'session.phpsession.savepath' => $run,
    'session.cookie.secure' => false,
    'session.cookie.samesite' => null,
    'language.cookie.secure' => false,
    'language.cookie.samesite' => null,
    'store.type' => 'phpsession',
];
