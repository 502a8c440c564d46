# A message centre made of Net::SMPP, for one client at a time. Each line of standard input asks for one delivery, each
# line of standard output is an event; both are JSON.
use strict;
use warnings;
use IO::Select;
use JSON::PP;
use Net::SMPP;

$| = 1;
# A client that goes away is no failure of the centre.
$SIG{__WARN__} = sub { };
my $json = JSON::PP->new->ascii->canonical;
my %names = (1 => 'bind_receiver', 2 => 'bind_transmitter', 4 => 'submit_sm', 6 => 'unbind', 9 => 'bind_transceiver',
  0x15 => 'enquire_link');
my $next_id = 1001;

sub tell_event { print $json->encode($_[0]), "\n" }

my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34, async => 1) or die "no port: $!";
tell_event({ event => 'listening', port => $listener->sockport });

my ($client, $select) = (undef, IO::Select->new($listener, \*STDIN));
my $typed = '';
while (1) {
  for my $ready ($select->can_read) {
    if ($ready == $listener) {
      $client = $listener->accept or next;
      $select->add($client);
    } elsif (fileno($ready) == fileno(STDIN)) {
      sysread(STDIN, $typed, 65536, length $typed) or exit;
      while ($typed =~ s/^(.*)\n//) {
        my $asked = $json->decode($1);
        my $command = delete $asked->{command};
        $client->$command(%$asked);
      }
    } else {
      my $pdu = $client->read_pdu;
      if (!defined $pdu) {
        $select->remove($client);
        close $client;
        next;
      }
      answer($pdu);
    }
  }
}

sub answer {
  my $pdu = shift;
  if ($pdu->{cmd} & 0x80000000) {
    return tell_event({ event => 'response', seq => $pdu->{seq}, status => $pdu->{status} });
  }
  my $name = $names{$pdu->{cmd}} or return $client->generic_nack(seq => $pdu->{seq}, status => 3);
  my $respond = "${name}_resp";
  my %fields = map { $_ => $pdu->{$_} } grep { !ref $pdu->{$_} && $_ ne 'data' } keys %$pdu;
  tell_event({ event => 'request', command => $name, fields => \%fields }) if $name ne 'enquire_link';
  my @content = $name =~ /^bind/ ? (system_id => 'perl') : ();
  @content = (message_id => $next_id++) if $name eq 'submit_sm';
  $client->$respond(seq => $pdu->{seq}, status => 0, @content);
}
