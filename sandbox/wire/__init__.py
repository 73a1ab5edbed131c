"""The wire to a running bot: channels, exchanges and evidence."""
