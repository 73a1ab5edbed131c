"""The protocol with a running bot: channels, exchanges and evidence."""
